package hook

import "syscall"

// mapSegment maps a part of a file, which is made larger for it; nil if that cannot be done. The
// room is taken at once: a page for which there is none later would kill the program.
func mapSegment(descriptor int, offset int64, size int) []byte {
	if syscall.Fallocate(descriptor, 0, offset, int64(size)) != nil {
		return nil
	}
	segment, err := syscall.Mmap(descriptor, offset, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil
	}
	return segment
}
