import { LiabilityPage } from "@/app/_panels/liability";
import { withTexts } from "@/app/_texts/page-texts";

export { liabilityMetadata as generateMetadata } from "@/app/_panels/liability";
export default withTexts("(admin)/admin/liability", LiabilityPage);
