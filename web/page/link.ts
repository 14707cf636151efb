/** The state of the page as a link: JSON, deflated, in base64 for addresses, behind `#s=`. */

async function piped(bytes: Uint8Array, through: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(through);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The fragment for a state. */
export async function toFragment(state: unknown): Promise<string> {
  const packed = await piped(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream("deflate-raw"));
  const text = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
  return `#s=${text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** The state in a fragment; undefined if there is none. Throws if it cannot be read. */
export async function fromFragment(fragment: string): Promise<unknown> {
  if (!fragment.startsWith("#s=")) {
    return undefined;
  }
  const text = atob(fragment.slice(3).replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(await piped(bytes, new DecompressionStream("deflate-raw"))));
}
