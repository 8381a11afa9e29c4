/**
 * What Lambda itself logs about an invocation that went well. Nothing at the level WARN; at INFO it would be two lines
 * of about 350 bytes each.
 */
export const PLATFORM_LOG_BYTES = 0;
