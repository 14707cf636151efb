/** A number with a slider and a field, which say the same. */

import { useId } from "preact/hooks";

interface SliderProps {
  label: string;
  unit: string;
  value: number;
  min: number;
  max: number;
  step: number;
  onChange(value: number): void;
}

export function Slider({ label, unit, value, min, max, step, onChange }: SliderProps) {
  const id = useId();
  const set = (text: string): void => {
    const number = Number(text);
    if (text.trim() !== "" && number >= min && number <= max) {
      onChange(number);
    }
  };
  return (
    <div class="slider">
      <label for={id}>{label}</label>
      <input id={id} type="range" min={min} max={max} step={step} value={value} onInput={(event) => set(event.currentTarget.value)} />
      <span>
        <input
          type="number"
          aria-label={`${label}, in ${unit}`}
          min={min}
          max={max}
          step="any"
          value={value}
          onChange={(event) => set(event.currentTarget.value)}
        />{" "}
        {unit}
      </span>
    </div>
  );
}
