import { getTranslations } from "next-intl/server";
import { Decision } from "@/components/merchants/decision";
import { MerchantView } from "@/components/merchants/merchant-view";
import { idSchema, NIL_ID } from "@/lib/domain/ids";
import { pageContext, readOr404 } from "@/lib/http/page";
import { imageUrl, signupUrl } from "@/lib/http/wire/media";
import { getMerchant } from "@/lib/merchants/read-merchants";
import { decideMerchantAction } from "../actions";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("merchants") };
}

export default async function MerchantPage({ params }: { params: Promise<{ id: string }> }) {
  const ctx = await pageContext("merchants.read");
  const id = idSchema.catch(NIL_ID).parse((await params).id);
  const merchant = await readOr404(getMerchant, ctx, { id });
  return (
    <MerchantView
      merchant={merchant}
      imageUrl={imageUrl(merchant.imageKey)}
      signupUrl={signupUrl(merchant.publicId)}
      actions={<Decision merchant={merchant} decide={decideMerchantAction} />}
    />
  );
}
