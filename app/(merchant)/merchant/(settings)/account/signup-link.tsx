import { getTranslations } from "next-intl/server";
import { CopyButton } from "@/components/data/copy-button";
import { QrImage } from "@/components/data/qr-image";
import { TitledCard } from "@/components/data/titled-card";
import { PosterButton } from "@/components/merchants/poster-button";
import { profile } from "@/lib/accounts/profile";
import { pageContext } from "@/lib/api/page";
import { signupUrl } from "@/lib/files/media-url";
import { viewBusiness } from "@/lib/merchants/business";

/** The sign-up link of an approved merchant, with its QR code and what to print with it. Before that it does not work. */
export async function SignupLink() {
  const { merchant } = await profile(await pageContext(viewBusiness), {});
  if (merchant?.status !== "approved") return null;
  const url = signupUrl(merchant.publicId);
  const t = await getTranslations("merchants.link");
  return (
    <TitledCard
      title={t("title")}
      text={t("text")}
      contentClass="flex flex-wrap items-center gap-5 max-sm:justify-center"
    >
      <QrImage text={url} label={t("qr")} className="size-36 shrink-0 border" />
      <div className="flex min-w-0 flex-1 basis-60 flex-col gap-3">
        <bdi dir="ltr" title={url} className="w-0 min-w-full truncate rounded-md bg-muted px-3 py-2 text-sm">
          {url}
        </bdi>
        <div className="flex flex-wrap gap-2">
          <CopyButton text={url} label={t("copy")} className="flex-1 px-3" />
          <PosterButton href="/merchant/account/poster" />
        </div>
      </div>
    </TitledCard>
  );
}
