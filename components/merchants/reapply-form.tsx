"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { reapplyAction } from "@/app/_session/actions";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { TextareaField } from "@/components/forms/text-fields";
import { DocumentsField } from "./upload";

const loadSchema = async () => (await import("@/lib/merchants/model/merchant")).reapplySchema;

/** A rejected merchant's second application: further documents and a word to the administrators. */
export function ReapplyForm() {
  const t = useTranslations("accountStatus.again");
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  return (
    <section aria-labelledby="again" className="flex flex-col gap-4 rounded-xl border p-4">
      <div>
        <h2 id="again" className="font-semibold">
          {t("title")}
        </h2>
        <p className="mt-1 text-pretty text-muted-foreground text-sm">
          {t.rich("text", {
            profile: (parts) => (
              <Link href="/merchant/account" className="text-link underline underline-offset-4">
                {parts}
              </Link>
            ),
          })}
        </p>
      </div>
      <ActionForm
        schema={loadSchema}
        action={reapplyAction}
        defaultValues={{ note: "", documents: [] }}
        onSuccess={() => router.refresh()}
      >
        <DocumentsField name="documents" onBusy={setBusy} />
        <TextareaField name="note" label={t("note")} hint={t("noteHint")} optional />
        <SubmitButton size="lg" disabled={busy}>
          {t("send")}
        </SubmitButton>
      </ActionForm>
    </section>
  );
}
