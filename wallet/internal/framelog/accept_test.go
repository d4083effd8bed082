package framelog

import "fmt"

// Only accepts one header.
func Only(want string) func(header string) (old string, err error) {
	return func(header string) (old string, err error) {
		if header != want {
			err = fmt.Errorf("%w: the file begins with %q, not with %q", ErrCorrupt, header, want)
		}
		return "", err
	}
}

// Append writes payload and returns once it is on disk.
func (l *Log) Append(payload []byte) error {
	written, err := l.Queue(payload)
	if err != nil {
		return err
	}
	return written()
}
