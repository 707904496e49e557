import { NoticesPage } from "@/app/_panels/notices";
import { withTexts } from "@/app/_texts/page-texts";

export { noticesMetadata as generateMetadata } from "@/app/_panels/notices";
export default withTexts("(merchant)/merchant/notices", NoticesPage);
