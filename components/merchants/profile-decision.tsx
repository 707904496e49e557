"use client";

import { CheckIcon, XIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { z } from "zod";
import { ConfirmButton } from "@/components/data/confirm-button";
import { FormDialog } from "@/components/forms/form-dialog";
import { TextareaField } from "@/components/forms/text-fields";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import type { ActionResult } from "@/lib/domain/errors";
import { decideProfileSchema, type MerchantDetail, type PendingProfile } from "@/lib/domain/merchant";

const rejectSchema = decideProfileSchema.extend({
  reason: z.string().trim().min(1, "validation.reason.required").max(500, "validation.reason.tooLong"),
});
type Input = z.input<typeof decideProfileSchema>;

/** The present profile and the one that its owner asked for beside each other, with Approve and Reject. */
export function ProfileDecision({
  merchant,
  change,
  images,
  decide,
}: {
  merchant: Pick<MerchantDetail, "id" | "businessName">;
  change: PendingProfile;
  images: { present: string | null; wanted: string | null };
  decide: (input: Input) => Promise<ActionResult<MerchantDetail>>;
}) {
  const t = useTranslations("merchants");
  const router = useRouter();
  const about = { id: merchant.id, changeId: change.id };
  return (
    <Card className="mb-5" data-slot="profile-change">
      <CardHeader>
        <CardTitle>{t("change.title")}</CardTitle>
      </CardHeader>
      <CardContent className="flex flex-col gap-5">
        <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
          <Side label={t("change.present")} name={merchant.businessName} image={images.present} />
          <Side
            label={t("change.wanted")}
            name={change.businessName ?? merchant.businessName}
            image={change.imageKey === undefined ? images.present : images.wanted}
          />
        </div>
        <div className="flex flex-wrap gap-2">
          <FormDialog<z.input<typeof rejectSchema>, MerchantDetail>
            trigger={{
              children: (
                <>
                  <XIcon aria-hidden /> {t("change.reject")}
                </>
              ),
            }}
            title={t("change.reject")}
            description={t("change.rejectText")}
            schema={rejectSchema}
            action={decide}
            defaultValues={{ ...about, status: "rejected", reason: "" }}
            submit={{ children: t("change.reject"), variant: "destructive" }}
          >
            <TextareaField name="reason" label={t("reason")} hint={t("reasonHint")} maxLength={500} />
          </FormDialog>
          <ConfirmButton
            variant="default"
            title={t("change.approve")}
            description={t("change.approveText")}
            confirmLabel={t("change.approve")}
            confirmVariant="default"
            run={() => decide({ ...about, status: "approved" })}
            onDone={() => router.refresh()}
          >
            <CheckIcon aria-hidden /> {t("change.approve")}
          </ConfirmButton>
        </div>
      </CardContent>
    </Card>
  );
}

function Side({ label, name, image }: { label: string; name: string; image: string | null }) {
  const t = useTranslations("merchants");
  return (
    <section aria-label={label} className="min-w-0 rounded-lg border p-3">
      <p className="text-muted-foreground text-sm">{label}</p>
      <p className="mb-2 break-words font-medium">
        <bdi>{name}</bdi>
      </p>
      {image ? (
        // biome-ignore lint/performance/noImgElement: the store serves it in its final size
        <img src={image} alt={t("imageAlt")} className="h-32 w-full rounded-md object-cover" />
      ) : (
        <p className="text-muted-foreground text-sm">{t("change.noImage")}</p>
      )}
    </section>
  );
}
