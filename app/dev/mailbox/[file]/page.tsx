import { notFound } from "next/navigation";
import { getLocale, getTranslations } from "next-intl/server";
import { PageHeader } from "@/components/data/page-header";
import { MessageBody } from "@/components/mailbox/message-body";
import { formatDateTime } from "@/lib/domain/time";
import { isMailboxEnabled, readMailbox } from "@/lib/email/mailbox";

export default async function MessagePage({ params }: { params: Promise<{ file: string }> }) {
  const { file } = await params;
  const message = isMailboxEnabled() ? await readMailbox(file) : null;
  if (!message) notFound();
  const t = await getTranslations("mailbox");
  const locale = await getLocale();
  const facts: [string, string][] = [
    [t("from"), message.from],
    [t("to"), message.to],
    ...(message.at ? [[t("time"), formatDateTime(message.at, locale)] as [string, string]] : []),
  ];
  return (
    <>
      <PageHeader
        level={1}
        title={<bdi>{message.subject}</bdi>}
        back={{ href: "/dev/mailbox", label: t("title") }}
        className="mb-0"
      />
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        {facts.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-muted-foreground">{label}</dt>
            <dd className="min-w-0 break-words">
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      <MessageBody html={message.html} text={message.text} title={message.subject} />
    </>
  );
}
