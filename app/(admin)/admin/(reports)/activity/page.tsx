export { ActivityPage as default, activityMetadata as generateMetadata } from "@/app/_panels/activity";
