/**
 * Records the playground as a moving picture for the README: frames of the room for queues, as PNG files.
 *
 *     FOREBAY_PAGES=../target/web/pages node record.mjs FOLDER
 *     ffmpeg -framerate 10 -i FOLDER/%03d.png -vf "scale=900:-1:flags=lanczos,split[a][b];[a]palettegen=64[p];[b][p]paletteuse" playground.gif
 */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { launch } from "./test/browser.mjs";
import { serve } from "./test/serve.mjs";

const [folder] = process.argv.slice(2);
const FRAMES = 40;
/** Milliseconds between frames. */
const EVERY = 100;

mkdirSync(folder, { recursive: true });
const server = await serve(process.env.FOREBAY_PAGES);
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
await page.goto(server.address);
await page.getByText("Both policies on all packets").waitFor();
await page.getByRole("button", { name: "First difference" }).click();
await page.locator(".player").scrollIntoViewIfNeeded();
const player = page.locator(".player");
await page.getByRole("button", { name: "Play" }).click();
for (let frame = 0; frame < FRAMES; frame += 1) {
  await player.screenshot({ path: join(folder, `${String(frame).padStart(3, "0")}.png`) });
  await page.waitForTimeout(EVERY);
}
await browser.close();
server.stop();
