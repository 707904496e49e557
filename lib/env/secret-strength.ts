// 32 random hexadecimal digits have about 115 by this measure; words and runs of a few characters have less.
const MIN_ENTROPY = 90;
const MIN_CHARACTERS = 10;
/**
 * The bits of a word out of some thousand common ones, the length up to which a text counts as one word, and the bits
 * of a letter of a longer text, or of one that is written as no word is.
 */
const BITS_OF_WORD = 13;
const LONGEST_WORD = 12;
const BITS_OF_LETTER = 4;
const WORD = /^\p{L}(?:\p{Ll}*|\p{Lu}*|\p{Lo}*)$/u;
/** Characters in the order in which people type them without thinking. */
const ROWS = ["abcdefghijklmnopqrstuvwxyz", "1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "0123456789"];
/** A repetition or a run of this length is not random. */
const [REPEATED, RUN] = [6, 4];

const inRow = (run: string): boolean =>
  ROWS.some((row) => row.includes(run) || [...row].reverse().join("").includes(run));

/**
 * Answers the characters that count as random: those outside a run, such as "cdef" or "lkjh", and outside a
 * repetition of earlier characters.
 */
function unforeseen(secret: string): string[] {
  const text = secret.toLowerCase();
  return [...secret].filter((_, at) => {
    const isRun = Array.from({ length: RUN }, (_, back) => text.slice(at - back, at - back + RUN)).some(
      (run) => run.length === RUN && inRow(run),
    );
    const isRepeated = Array.from({ length: REPEATED }, (_, back) => at - back).some(
      (from) =>
        from >= 0 && text.length >= from + REPEATED && text.indexOf(text.slice(from, from + REPEATED)) < from,
    );
    return !isRun && !isRepeated;
  });
}

/** A lower bound of a secret's randomness, in bits: by how often each character occurs, or by the number of its words. */
function entropyOf(secret: string): number {
  const kept = unforeseen(secret);
  const counts = [...Map.groupBy(kept, (character) => character).values()].map((group) => group.length);
  // Few different characters, such as a short word that is repeated.
  if (counts.length < MIN_CHARACTERS) return 0;
  const bits = counts.reduce((sum, count) => sum + count * Math.log2(kept.length / count), 0);
  if (/\d/.test(secret)) return bits;
  const words = [...new Set(secret.split(/[^\p{L}]+/u))].filter(Boolean);
  const worth = words.map((word) =>
    word.length > LONGEST_WORD || !WORD.test(word)
      ? word.length * BITS_OF_LETTER
      : Math.min(BITS_OF_WORD, 3 * word.length),
  );
  return Math.min(
    bits,
    worth.reduce((sum, one) => sum + one, 0),
  );
}

/** Whether a secret of some length may be found by trying what people type: repetitions, rows of keys, a few words. */
export const isGuessable = (secret: string): boolean => entropyOf(secret) < MIN_ENTROPY;
