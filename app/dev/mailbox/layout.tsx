import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { AreaTexts } from "@/app/_texts/area-texts";
import { isMailboxEnabled } from "@/lib/email/mailbox";

export default function MailboxLayout({ children }: { children: ReactNode }) {
  if (!isMailboxEnabled()) notFound();
  return (
    <div data-theme="blue" className="min-h-dvh bg-background">
      <main className="mx-auto flex max-w-3xl flex-col gap-5 px-4 py-8">
        <AreaTexts area="mailbox">{children}</AreaTexts>
      </main>
    </div>
  );
}
