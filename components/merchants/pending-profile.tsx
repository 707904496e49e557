import { HourglassIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { cancelProfileChangeAction } from "@/app/(merchant)/merchant/actions";
import { ConfirmButton } from "@/components/data/confirm-button";
import { Alert } from "@/components/ui/alert";
import type { PendingProfile } from "@/lib/merchants/model/merchant";

export type Pictures = { image: string | null; logo: string | null };

const isolated = (text: string) => `\u2068${text}\u2069`;

type PictureProps = { src: string; alt: string; className?: string };

/** A picture of a shop; without a `className` it looks like a logo. */
export function ShopPicture({
  src,
  alt,
  className = "size-16 rounded-md border bg-white object-contain p-2",
}: PictureProps) {
  // biome-ignore lint/performance/noImgElement: the store serves it in its final size
  return <img src={src} alt={alt} className={className} />;
}

/** The changes of the profile that wait for an administrator, with Cancel. */
export function PendingProfileNotice({ pending, pictures }: { pending: PendingProfile; pictures: Pictures }) {
  const t = useTranslations("merchants.profile");
  const { businessName, businessNameAr, imageKey, logoKey, colour } = pending;
  return (
    <Alert
      variant="warning"
      data-slot="pending-profile"
      icon={HourglassIcon}
      title={t("pendingTitle")}
      textClass="flex min-w-0 flex-col items-start gap-3"
    >
      {businessName !== undefined && (
        <p className="break-words">{t("pendingName", { name: isolated(businessName) })}</p>
      )}
      {businessNameAr && (
        <p className="break-words">{t("pendingNameAr", { name: isolated(businessNameAr) })}</p>
      )}
      {businessNameAr === null && <p>{t("pendingNoNameAr")}</p>}
      {imageKey === null && <p>{t("pendingNoImage")}</p>}
      {pictures.image && (
        <ShopPicture
          src={pictures.image}
          alt={t("pendingImage")}
          className="h-24 w-full max-w-48 rounded-md object-cover"
        />
      )}
      {logoKey === null && <p>{t("pendingNoLogo")}</p>}
      {pictures.logo && <ShopPicture src={pictures.logo} alt={t("pendingLogo")} />}
      {colour && (
        <p className="flex items-center gap-2">
          {t("pendingColour", { colour })}
          <span
            aria-hidden
            className="inline-block size-5 rounded-full border"
            style={{ backgroundColor: colour }}
          />
        </p>
      )}
      {colour === null && <p>{t("pendingNoColour")}</p>}
      <p>{t("pendingText")}</p>
      <ConfirmButton
        label={t("cancel")}
        description={t("pendingText")}
        run={() => cancelProfileChangeAction({})}
      />
    </Alert>
  );
}
