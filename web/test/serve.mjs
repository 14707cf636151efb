/** Serves a folder of pages on this machine, as any web server would. */

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";

const KINDS = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".wasm": "application/wasm" };

/** The server's address, and how to stop it. `sent` counts the bytes that went out. */
export async function serve(folder) {
  const sent = { bytes: 0 };
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://x").pathname));
    const name = path.endsWith("/") ? `${path}index.html` : path;
    try {
      const packed = await readFile(join(folder, `${name}.br`)).catch(() => undefined);
      const content = packed ?? (await readFile(join(folder, name)));
      const packing = packed === undefined ? {} : { "Content-Encoding": "br" };
      sent.bytes += content.length;
      response.writeHead(200, { "Content-Type": KINDS[extname(name)] ?? "application/octet-stream", ...packing });
      response.end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}/`, sent, stop: () => server.close() };
}
