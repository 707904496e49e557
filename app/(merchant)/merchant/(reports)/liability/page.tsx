export { LiabilityPage as default, liabilityMetadata as generateMetadata } from "@/app/_panels/liability";
