package hook

type Op uint8

const (
	Read Op = iota + 1
	Write
	Lock
	Start
)
