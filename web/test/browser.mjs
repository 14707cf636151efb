/** Debian's Chromium, driven by Playwright. Its own browsers are never downloaded. */

import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const PROGRAMS = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The browser that this machine has; undefined if it has none. */
export const program = PROGRAMS.find((path) => path !== undefined && existsSync(path));

export function launch() {
  // Containers have neither the namespaces of the sandbox nor a large /dev/shm.
  return chromium.launch({ executablePath: program, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}
