package pkcs11

import "testing"

// Library is the interface that a test wraps.
type Library = library

// ParsePoint is parsePoint.
var ParsePoint = parsePoint

// Wrap has Open use a wrapped library until the test ends.
func Wrap(t *testing.T, wrap func(Library) Library) {
	real := load
	load = func(path string) (library, error) {
		l, err := real(path)
		if err != nil {
			return nil, err
		}
		return wrap(l), nil
	}
	t.Cleanup(func() { load = real })
}
