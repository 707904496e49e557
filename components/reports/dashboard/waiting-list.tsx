import Link from "next/link";
import { useTranslations } from "next-intl";
import { MerchantName } from "@/components/data/merchant-name";
import { RelativeTime } from "@/components/data/relative-time";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card, CardAction, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { formatCount } from "@/lib/domain/money";
import type { Dashboard } from "@/lib/reports/model/totals";

/** The merchants that wait for a decision, with links to review them. */
export function WaitingList({ waiting }: { waiting: NonNullable<Dashboard["waiting"]> }) {
  const t = useTranslations("dashboard");
  const more = waiting.count - waiting.first.length;
  return (
    <Card>
      <CardHeader>
        <CardTitle>
          {t("waiting")}
          {"\u00a0"}
          <Badge
            variant={waiting.count > 0 ? "warning" : "secondary"}
            className="ms-1 align-middle tabular-nums"
          >
            {formatCount(waiting.count)}
          </Badge>
        </CardTitle>
        <CardAction>
          <Link
            href="/admin/merchants?status=pending"
            className="touch text-link text-sm underline-offset-4 hover:underline"
          >
            {t("seeAll")}
          </Link>
        </CardAction>
      </CardHeader>
      <CardContent>
        {waiting.count === 0 && <p className="text-muted-foreground text-sm">{t("waitingNone")}</p>}
        <ul className="flex flex-col divide-y">
          {waiting.first.map((merchant) => (
            <li
              key={merchant.id}
              className="flex items-center justify-between gap-3 py-2.5 first:pt-0 last:pb-0"
            >
              <div className="min-w-0">
                <p className="font-medium text-sm *:block *:truncate">
                  <MerchantName of={merchant} />
                </p>
                <p className="truncate text-muted-foreground text-xs">
                  <bdi>{merchant.owner}</bdi> · <RelativeTime date={merchant.createdAt} />
                </p>
              </div>
              <Button variant="outline" size="sm" asChild>
                <Link href={`/admin/merchants/${merchant.id}`}>
                  {t("review")}
                  <span className="sr-only">
                    <MerchantName of={merchant} />
                  </span>
                </Link>
              </Button>
            </li>
          ))}
        </ul>
        {more > 0 && (
          <p className="pt-2 text-muted-foreground text-sm">{t("waitingMore", { count: more })}</p>
        )}
      </CardContent>
    </Card>
  );
}
