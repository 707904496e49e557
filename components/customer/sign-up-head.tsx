import { useTranslations } from "next-intl";
import { CardFace } from "@/components/card/face";

/** The card that waits for its holder: the merchant's picture and name. */
export function SignUpHead({
  merchant,
}: {
  merchant: { id: string; businessName: string; imageUrl: string | null };
}) {
  const t = useTranslations("customerSignup");
  return (
    <div className="flex flex-col gap-5 pt-1 pb-6">
      <CardFace
        merchantId={merchant.id}
        imageUrl={merchant.imageUrl}
        className="aspect-[1.9] sm:aspect-[1.586]"
      >
        <div className="flex size-full flex-col justify-between p-5">
          <p className="font-medium text-[0.7rem] text-white/85 uppercase tracking-widest">
            {t("cardCaption")}
          </p>
          <p className="line-clamp-2 text-balance font-semibold text-2xl leading-tight [text-shadow:0_1px_8px_rgb(0_0_0/0.4)]">
            {merchant.businessName}
          </p>
        </div>
      </CardFace>
      <div>
        <h1 className="text-balance font-semibold text-2xl tracking-tight">
          {t("title", { merchant: merchant.businessName })}
        </h1>
        <p className="mt-1 text-muted-foreground">{t("intro")}</p>
      </div>
    </div>
  );
}
