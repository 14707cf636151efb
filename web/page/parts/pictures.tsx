/** The pictures of a run, as the command draws them, to look at and to save. */

import { useEffect, useState } from "preact/hooks";
import type { Picture } from "../engine/answers";
import { Sideways } from "./sideways";

/** Text that can be read on a phone, in pixels. */
const LEAST_TEXT = 11;

interface Size {
  width: number;
  height: number;
}

/** The size at which the smallest text of a picture can be read. */
function readableSize(svg: string): Size {
  const [, width = 1, height = 1] = (svg.match(/viewBox="0 0 ([\d.]+) ([\d.]+)"/) ?? []).map(Number);
  const texts = [...svg.matchAll(/font-size="([\d.]+)"/g)].map(([, size]) => Number(size));
  const scale = LEAST_TEXT / Math.min(...texts, LEAST_TEXT);
  return { width: Math.ceil(width * scale), height: Math.ceil(height * scale) };
}

function Drawn({ picture, size }: { picture: Picture; size: Size }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([picture.svg], { type: "image/svg+xml" }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [picture.svg]);
  const title = picture.title === "" ? picture.name : picture.title;
  if (address === undefined) {
    return null;
  }
  return (
    <figure class="picture" style={{ "--readable": `${size.width}px` }}>
      <Sideways label={title}>
        <img src={address} alt={title} {...size} />
      </Sideways>
      <figcaption>
        <a href={address} download={`${picture.name}.svg`} aria-label={`Save SVG: ${title}`}>
          Save SVG
        </a>
      </figcaption>
    </figure>
  );
}

export function Pictures({ pictures }: { pictures: Picture[] }) {
  const sizes = pictures.map(({ svg }) => readableSize(svg));
  return (
    <div class="pictures" style={{ "--readable": `${Math.max(0, ...sizes.map(({ width }) => width))}px` }}>
      {pictures.map((picture, place) => (
        <Drawn key={picture.name} picture={picture} size={sizes[place] as Size} />
      ))}
    </div>
  );
}
