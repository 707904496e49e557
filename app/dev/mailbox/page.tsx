import { MailIcon } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { CursorPager } from "@/components/data/cursor-pager";
import { PageHeader } from "@/components/data/page-header";
import { RelativeTime } from "@/components/data/relative-time";
import { AutoRefresh } from "@/components/mailbox/message-body";
import { EmptyState } from "@/components/ui/empty";
import { isMailboxEnabled, listMailbox } from "@/lib/email/mailbox";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("mailbox");
  return { title: t("title"), robots: { index: false } };
}

export default async function MailboxPage({ searchParams }: { searchParams: Promise<{ cursor?: string }> }) {
  if (!isMailboxEnabled()) notFound();
  const { cursor } = await searchParams;
  const t = await getTranslations("mailbox");
  const { entries, next } = await listMailbox(cursor);
  return (
    <>
      <AutoRefresh />
      <PageHeader level={1} title={t("title")} description={t("description")} className="mb-0" />
      {entries.length === 0 ? (
        <EmptyState icon={MailIcon} title={t("empty")} description={t("emptyHint")} />
      ) : (
        <ul className="divide-y overflow-hidden rounded-xl border bg-card shadow-card">
          {entries.map(({ file, subject, to, at }) => (
            <li
              key={file}
              className="relative flex items-start justify-between gap-4 px-4 py-3 hover:bg-muted/50"
            >
              <div className="min-w-0">
                <Link href={`/dev/mailbox/${file}`} className="font-medium after:absolute after:inset-0">
                  <bdi className="break-words">{subject}</bdi>
                </Link>
                <p dir="ltr" className="wrap-anywhere text-muted-foreground text-sm rtl:text-end">
                  {to}
                </p>
              </div>
              {at && <RelativeTime date={at} className="text-muted-foreground text-sm" />}
            </li>
          ))}
        </ul>
      )}
      <CursorPager nextCursor={next} />
    </>
  );
}
