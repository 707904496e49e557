import { ActivityPage } from "@/app/_panels/activity";
import { withTexts } from "@/app/_texts/page-texts";

export { activityMetadata as generateMetadata } from "@/app/_panels/activity";
export default withTexts("(admin)/admin/activity", ActivityPage);
