import { ActivityPage } from "@/app/_panels/activity";

export { activityMetadata as generateMetadata } from "@/app/_panels/activity";
export default ActivityPage;
