/**
 * The message of a field: a catalogue key, with the numbers that fill its text as a query. Both the forms and the API
 * translate it.
 */
export function fieldMessage(key: string, numbers: Record<string, number>): string {
  return `${key}?${new URLSearchParams(Object.entries(numbers).map(([name, number]) => [name, String(number)]))}`;
}

/** The message of a number outside these bounds. */
export const betweenMessage = (min: number, max: number) =>
  fieldMessage("validation.number.between", { min, max });

/** The key and the numbers of a field's message, or null for any other text. */
export function parseFieldMessage(text: string): { key: string; numbers: Record<string, number> } | null {
  const [, key, query = ""] = /^([a-z]\w*(?:\.\w+)+)(?:\?([\w=&.-]*))?$/i.exec(text) ?? [];
  if (!key) return null;
  const numbers = [...new URLSearchParams(query)].map(([name, number]) => [name, Number(number)]);
  return { key, numbers: Object.fromEntries(numbers) as Record<string, number> };
}
