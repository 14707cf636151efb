/** The pictures of a run, as the command draws them, to look at and to save. */

import { useEffect, useState } from "preact/hooks";
import type { Picture } from "../engine/answers";

function Drawn({ picture }: { picture: Picture }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([picture.svg], { type: "image/svg+xml" }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [picture.svg]);
  const title = picture.title === "" ? picture.name : picture.title;
  return (
    <figure class="picture">
      {address !== undefined && <img src={address} alt={title} />}
      <figcaption>
        {title}
        {address !== undefined && (
          <a href={address} download={`${picture.name}.svg`}>
            Save SVG
          </a>
        )}
      </figcaption>
    </figure>
  );
}

export function Pictures({ pictures }: { pictures: Picture[] }) {
  return (
    <div class="pictures">
      {pictures.map((picture) => (
        <Drawn key={picture.name} picture={picture} />
      ))}
    </div>
  );
}
