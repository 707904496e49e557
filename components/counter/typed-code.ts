import { parseCardCode } from "@/lib/cards/model/card";

/** After how many milliseconds without a key a code is whole. A hardware scanner types faster. */
const PAUSE_MS = 150;

/**
 * Finds the code of a card in the text of a field and reports it once. A hardware scanner types key by key, or some keys at
 * once, and a live code follows the card's id, so that a code is whole at Enter (`end`) or after a pause.
 */
export function followTypedCode(onCode: (text: string) => void) {
  let text = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Reports the code that is in the field. Answers whether there is one. */
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
