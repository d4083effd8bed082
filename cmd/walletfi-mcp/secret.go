package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/walletfi/walletfi-go"
)

// A secret comes from a file or the environment, never from an argument: every user of a machine can
// list the arguments of its processes.

const mostSecret = 4096

// key returns a service's credential, the zero Secret if none is given.
func (c *config) key(service string) (walletfi.Secret, error) {
	for _, text := range c.keyFiles {
		if name, file, _ := strings.Cut(text, "="); name == service {
			return secretFromFile(file)
		}
	}
	name := variable(service, "KEY")
	text, ok := os.LookupEnv(name)
	if !ok {
		return walletfi.Secret{}, nil
	}
	return secretOf("the variable "+name, []byte(text))
}

// secretFromFile reads a secret from a file that only its owner may read.
func secretFromFile(name string) (walletfi.Secret, error) {
	file, err := os.Open(name)
	if err != nil {
		return walletfi.Secret{}, err
	}
	defer file.Close()
	info, err := file.Stat() // of the open file, so that it cannot be exchanged in between
	if err != nil {
		return walletfi.Secret{}, err
	}
	if mode := info.Mode(); mode.IsRegular() && mode.Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		return walletfi.Secret{}, fmt.Errorf("%s is open to others (mode %04o): chmod 600 it", name, mode.Perm())
	}
	text, err := io.ReadAll(io.LimitReader(file, mostSecret+1))
	if err != nil {
		return walletfi.Secret{}, err
	}
	text = bytes.TrimSuffix(text, []byte("\n"))
	return secretOf(name, bytes.TrimSuffix(text, []byte("\r")))
}

// secretOf refuses what no service issues and what comes of a mistake. No error shows any of it.
func secretOf(from string, text []byte) (walletfi.Secret, error) {
	switch {
	case len(text) == 0:
		return walletfi.Secret{}, fmt.Errorf("%s is empty", from)
	case len(text) > mostSecret:
		return walletfi.Secret{}, fmt.Errorf("%s is longer than %d bytes", from, mostSecret)
	case bytes.ContainsAny(text, "\n\r\x00") || !bytes.Equal(bytes.TrimSpace(text), text):
		return walletfi.Secret{}, fmt.Errorf("%s has more than one line, or begins or ends with a blank", from)
	}
	return walletfi.NewSecret(string(text)), nil
}
