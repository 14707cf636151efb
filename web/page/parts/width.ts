/** The width of an element on the screen, for drawings whose text keeps its size. */

import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";

export function useWidth(element: RefObject<HTMLElement | null>, usual: number): number {
  const [width, setWidth] = useState(usual);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined && entry.contentRect.width > 0) {
        setWidth(Math.round(entry.contentRect.width));
      }
    });
    if (element.current !== null) {
      observer.observe(element.current);
    }
    return () => observer.disconnect();
  }, []);
  return width;
}
