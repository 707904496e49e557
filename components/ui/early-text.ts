import { type RefObject, useEffect, useEffectEvent, useRef } from "react";

/** The ref of a field whose text is state. `take` gets what was typed before the page's scripts ran and would be lost. */
export function useEarlyText(
  text: string,
  take: (typed: string) => void,
): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  const takeEarly = useEffectEvent(() => {
    const typed = field.current?.value ?? text;
    if (typed !== text) take(typed);
  });
  useEffect(() => takeEarly(), []);
  return field;
}
