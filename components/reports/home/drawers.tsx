import Link from "next/link";
import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { BranchName } from "@/components/data/branch-name";
import { Dirhams } from "@/components/tills/shifts/shifts-table";
import { Card } from "@/components/ui/card";
import { formatDateTime } from "@/lib/domain/time";
import type { Shift } from "@/lib/tills/names";

type Overview = { open: Shift[]; differing: Shift[]; closed: number; differed: number };

/** The drawers of an owner's tills: which are open, and which did not add up lately. Nothing where none was ever opened. */
export function Drawers({ overview }: { overview: Overview }) {
  const t = useTranslations("home.drawers");
  const shifts = useTranslations("shifts");
  const locale = useLocale();
  const { open, differing, closed, differed } = overview;
  if (open.length === 0 && closed === 0) return null;
  return (
    <section aria-labelledby="drawers" className="flex flex-col gap-3">
      <div className="flex items-baseline justify-between gap-3">
        <h2 id="drawers" className="font-semibold">
          {t("title")}
        </h2>
        <Link href="/merchant/shifts" className="touch text-link text-sm underline-offset-4 hover:underline">
          {t("all")}
        </Link>
      </div>
      <Card className="grid grid-cols-1 gap-5 p-4 sm:p-5 md:grid-cols-2">
        {open.length > 0 && (
          <Part title={t("open")}>
            {open.map((shift) => (
              <Row key={shift.id} shift={shift} title={<Place shift={shift} />}>
                {t("since", { name: shift.openedBy.name, time: formatDateTime(shift.openedAt, locale) })}
              </Row>
            ))}
          </Part>
        )}
        <Part title={t("differences")}>
          {differing.length === 0 && (
            <li className="text-muted-foreground text-sm">{t("none", { count: closed })}</li>
          )}
          {differing.map((shift) => (
            <Row
              key={shift.id}
              shift={shift}
              title={shifts("report", { number: shift.number })}
              aside={<Dirhams amount={shift.difference ?? 0} signed />}
            >
              <Place shift={shift} />
            </Row>
          ))}
          {differed > differing.length && (
            <li className="text-muted-foreground text-sm">
              {t("more", { count: differed - differing.length })}
            </li>
          )}
        </Part>
      </Card>
    </section>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <h3 className="mb-2 font-medium text-muted-foreground text-xs">{title}</h3>
      <ul className="flex flex-col gap-1">{children}</ul>
    </div>
  );
}

function Place({ shift: { till, branch } }: { shift: Shift }) {
  return (
    <>
      <bdi>{till.name}</bdi> · <BranchName of={branch} />
    </>
  );
}

function Row({
  shift,
  title,
  aside,
  children,
}: {
  shift: Shift;
  title: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <li>
      <Link
        href={`/merchant/shifts/${shift.id}`}
        prefetch={false}
        className="-mx-2 flex items-center gap-3 rounded-md px-2 py-1.5 hover:bg-accent"
      >
        <span className="min-w-0 flex-1">
          <span className="wrap-anywhere block font-medium text-sm">{title}</span>
          <span className="wrap-anywhere block text-muted-foreground text-xs">{children}</span>
        </span>
        {aside && <span className="shrink-0 font-semibold text-sm">{aside}</span>}
      </Link>
    </li>
  );
}
