package main

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// readFile reads a file of at most so many bytes, or standard input for "-".
func (s streams) readFile(name string, most int64) ([]byte, error) {
	if name == "-" {
		if terminal(s.in) {
			s.busy.hush() // someone types
		}
		return readAll(s.in, "standard input", most)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, as(statusMalformed, err)
	}
	defer file.Close()
	return readAll(file, name, most)
}

func readAll(r io.Reader, name string, most int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, most+1))
	switch {
	case err != nil:
		return nil, as(statusMalformed, fmt.Errorf("%s cannot be read: %w", name, err))
	case int64(len(b)) > most:
		return nil, as(statusMalformed, fmt.Errorf("%s is larger than %d bytes", name, most))
	case len(b) == 0:
		return nil, as(statusMalformed, fmt.Errorf("%s is empty", name))
	}
	return b, nil
}

var errTwoInputs = errors.New("standard input can be read once only")

// onceStdin refuses a command line that would read standard input twice.
func onceStdin(names ...string) error {
	seen := false
	for _, name := range names {
		if name == "-" && seen {
			return as(statusUsage, errTwoInputs)
		}
		seen = seen || name == "-"
	}
	return nil
}
