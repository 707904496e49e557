import { parseCardCode } from "@/lib/cards/model/card";

/** After how many milliseconds without a key a code is whole. A hardware scanner types faster. */
const PAUSE_MS = 150;

/** Reports a typed card code once, at Enter (`end`) or after a pause: a live code follows the card's id. */
export function followTypedCode(onCode: (text: string) => void) {
  let text = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = (): boolean => {
    clearTimeout(timer);
    const code = text;
    if (!parseCardCode(code)) return false;
    text = "";
    onCode(code);
    return true;
  };
  return {
    change: (next: string) => {
      text = next;
      clearTimeout(timer);
      timer = setTimeout(end, PAUSE_MS);
    },
    end,
    stop: () => clearTimeout(timer),
  };
}
