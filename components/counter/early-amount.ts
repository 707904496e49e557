/** The digits that a cashier types while a customer is being opened. They end with the next customer. */
export function earlyAmount() {
  let waits = false;
  let digits = "";
  return {
    /** Says whether a customer is being opened. */
    wait: (on: boolean) => {
      if (on && !waits) digits = "";
      waits = on;
    },
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
