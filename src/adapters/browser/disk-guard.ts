/** An entry of a cache, which is missing if the last page left a full disk behind (disk.ts). */
export const DISK_GUARD = '/disk-guard';
