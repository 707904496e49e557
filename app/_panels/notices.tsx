import {
  ArrowUpFromLineIcon,
  BanknoteIcon,
  BellIcon,
  CalculatorIcon,
  EyeIcon,
  GiftIcon,
  InboxIcon,
  KeyRoundIcon,
  LockIcon,
  type LucideIcon,
  MailIcon,
  ShieldCheckIcon,
  SnowflakeIcon,
  StoreIcon,
  Undo2Icon,
} from "lucide-react";
import Link from "next/link";
import { useLocale, useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { CursorPager } from "@/components/data/cursor-pager";
import { ListFrame } from "@/components/data/list-frame";
import { RelativeTime } from "@/components/data/relative-time";
import { deferRead, ListSkeleton, Streamed } from "@/components/data/streamed";
import { MarkSeen } from "@/components/notices/bell";
import { EmptyState } from "@/components/ui/empty";
import { cn } from "@/components/ui/utils";
import { pageContext, pageQuery, pageTitle, type SearchParams } from "@/lib/api/page";
import { merchantName } from "@/lib/domain/localized-names";
import { cashValue, formatPoints, formatQar } from "@/lib/domain/money";
import { pageSchema } from "@/lib/domain/paging";
import { type Notice, type NoticeKind, noticePath } from "@/lib/notices/model";
import { listNotices } from "@/lib/notices/notices";

const ICONS: Record<NoticeKind, LucideIcon> = {
  card_frozen: SnowflakeIcon,
  unfreeze_asked: MailIcon,
  large_redemption: GiftIcon,
  code_asked: KeyRoundIcon,
  offline_inbox: InboxIcon,
  drawer_difference: BanknoteIcon,
  drawer_uncounted: CalculatorIcon,
  drawer_pay_out: ArrowUpFromLineIcon,
  other_till_cash: Undo2Icon,
  worker_pin_locked: LockIcon,
  till_pins_locked: LockIcon,
  many_openings: EyeIcon,
  frozen_capture: SnowflakeIcon,
  held_share: LockIcon,
  profile_approved: ShieldCheckIcon,
  profile_rejected: ShieldCheckIcon,
  merchant_waiting: StoreIcon,
  merchant_again: StoreIcon,
  profile_waiting: StoreIcon,
  change_waiting: ShieldCheckIcon,
};

function useSentence() {
  const t = useTranslations("notices");
  const locale = useLocale();
  return ({ kind, amount, customerName, personName, tillName, ...names }: Notice) => {
    const about = {
      customer: customerName ?? t("erased"),
      person: personName ?? "–",
      till: tillName ?? "–",
      merchant:
        names.merchantName === null
          ? t("allMerchants")
          : merchantName({ businessName: names.merchantName, businessNameAr: names.merchantNameAr }, locale),
      count: amount ?? 0,
    };
    const side = (amount ?? 0) < 0 ? "short" : "over";
    const dirhams = formatQar(cashValue(Math.abs(amount ?? 0), 1), locale);
    return {
      title: t(`titles.${kind}`, { side }),
      text: t.rich(`texts.${kind}`, {
        ...about,
        // An amount stays in one line.
        money: dirhams.replaceAll(" ", "\u00a0"),
        points: formatPoints(amount ?? 0, locale),
        side,
        b: (parts) => <bdi className="font-medium text-foreground">{parts}</bdi>,
      }),
    };
  };
}

function NoticesList({ notices }: { notices: readonly Notice[] }) {
  const t = useTranslations("notices");
  const sentence = useSentence();
  return (
    <ul className="divide-y overflow-hidden rounded-xl border bg-card shadow-card">
      {notices.map((notice) => {
        const Icon = ICONS[notice.kind];
        const { title, text } = sentence(notice);
        return (
          <li
            key={notice.id}
            className={cn("relative flex gap-3 p-4", notice.unread && "bg-primary-soft/40")}
          >
            <span
              className={cn(
                "grid size-9 shrink-0 place-items-center rounded-full",
                notice.unread ? "bg-primary-soft text-primary-strong" : "bg-muted text-muted-foreground",
              )}
            >
              <Icon className="size-4.5" aria-hidden />
            </span>
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-baseline justify-between gap-x-3">
                <Link
                  href={noticePath(notice)}
                  prefetch={false}
                  className={cn(
                    "text-sm after:absolute after:inset-0 hover:underline",
                    notice.unread ? "font-semibold" : "font-medium",
                  )}
                >
                  {title}
                  {notice.unread && <span className="sr-only"> {t("unread")}</span>}
                </Link>
                <RelativeTime date={notice.createdAt} className="relative text-muted-foreground text-xs" />
              </p>
              <p className="mt-0.5 text-pretty text-muted-foreground text-sm wrap-anywhere">{text}</p>
            </div>
          </li>
        );
      })}
    </ul>
  );
}

export const generateMetadata = pageTitle("panels.titles.notices");

/** The user's notices, newest first. Being shown marks them as seen. */
export async function NoticesPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(listNotices);
  const list = deferRead(listNotices(ctx, await pageQuery(pageSchema, searchParams)));
  const t = await getTranslations("notices");
  return (
    <ListFrame>
      <Streamed data={list} fallback={<ListSkeleton />}>
        {({ results: [newest, ...others], nextCursor }) =>
          newest ? (
            <div className="max-w-3xl">
              <NoticesList notices={[newest, ...others]} />
              {newest.unread && <MarkSeen until={newest.createdAt.toISOString()} />}
              <CursorPager nextCursor={nextCursor} />
            </div>
          ) : (
            <EmptyState
              icon={BellIcon}
              title={t("none")}
              description={t(`noneText.${ctx.actor.merchantId ? "owner" : "platform"}`)}
            />
          )
        }
      </Streamed>
    </ListFrame>
  );
}
