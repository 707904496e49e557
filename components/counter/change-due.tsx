import { useLocale, useTranslations } from "next-intl";
import { cashValue, formatCount, formatQar } from "@/lib/domain/money";

/** The change for the notes that a customer is likely to give. `cash` is the amount in QAR, as cashValue writes it. */
export function ChangeDue({ cash }: { cash: string }) {
  const t = useTranslations("counter");
  const locale = useLocale();
  const rows = changeFor(Number(cash.replace(".", "")));
  if (rows.length === 0) return null;
  return (
    <ul
      className="flex max-w-full flex-wrap justify-center gap-1.5 landscape-phone:hidden"
      data-slot="change"
    >
      {rows.map(({ given, change }) => (
        <li key={given} className="rounded-lg bg-background/70 px-2.5 py-1 text-foreground tabular-nums">
          <span className="block text-muted-foreground text-xs leading-4">
            {t("given", { amount: formatCount(given) })}
          </span>
          <span className="block font-semibold text-sm leading-5">
            {t("giveChange", { cash: formatQar(cashValue(change, 1), locale) })}
          </span>
        </li>
      ))}
    </ul>
  );
}

// Notes in QAR that customers round up to.
const NOTES = [10, 50, 100, 200, 500] as const;
// More would not fit in two lines of a phone.
const MOST = 4;

/**
 * The amounts that a customer is likely to give for `dirhams`, in QAR, smallest first, and the change of each in dirhams.
 * None is exact, because an exact amount has no change.
 */
export function changeFor(dirhams: number): { given: number; change: number }[] {
  const likely = NOTES.map((note) => Math.ceil(dirhams / (note * 100)) * note);
  return [...new Set(likely)]
    .map((given) => ({ given, change: given * 100 - dirhams }))
    .filter(({ change }) => change > 0)
    .slice(0, MOST);
}
