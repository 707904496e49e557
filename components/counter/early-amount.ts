/**
 * The digits that a quick cashier types while a customer is being opened. They are of this customer alone: they end with
 * the next one, also where this one could not be opened.
 */
export function earlyAmount() {
  let waits = false;
  let digits = "";
  return {
    /** Says whether a customer is being opened. */
    wait: (on: boolean) => {
      if (on && !waits) digits = "";
      waits = on;
    },
    /** Takes a key. Answers whether it is a digit of the amount. */
    take: (key: string): boolean => {
      const isDigit = waits && /^[0-9\u0660-\u0669\u06f0-\u06f9]$/.test(key);
      if (isDigit) digits += key;
      return isDigit;
    },
    typed: () => digits,
    clear: () => {
      digits = "";
    },
  };
}
