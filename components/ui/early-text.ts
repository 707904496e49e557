import { type RefObject, useEffect, useEffectEvent, useRef } from "react";

/**
 * The ref of a field whose text is a component's state. `take` gets what was typed there before the page's scripts ran, which
 * the next rendering would replace.
 */
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
