package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"unicode/utf8"

	"github.com/walletfi/walletfi-go"
)

// A secret comes from a file or the environment, never from an argument: every
// user of a machine can list the arguments of its processes.

const mostSecret = 4096

// secretFromEnv reads a secret from a variable. flag can be given in place of it.
func secretFromEnv(name, flag string) (walletfi.Secret, error) {
	text, ok := os.LookupEnv(name)
	if !ok {
		err := fmt.Errorf("the variable %s %w: set it, or give --%s", name, errUnset, flag)
		return walletfi.Secret{}, as(statusSecret, err)
	}
	return secretOf("the variable "+name, []byte(text))
}

// secretFromFile reads a secret from a file that only its owner may read. The line
// break that editors add at the end is no part of it.
func secretFromFile(name string) (walletfi.Secret, error) {
	file, err := os.Open(name)
	if err != nil {
		return walletfi.Secret{}, as(statusSecret, err)
	}
	defer file.Close()
	// Of the open file, so that it cannot be exchanged in between.
	info, err := file.Stat()
	if err != nil {
		return walletfi.Secret{}, as(statusSecret, err)
	}
	if mode := info.Mode(); mode.IsRegular() && mode.Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		return walletfi.Secret{}, as(statusSecret,
			fmt.Errorf("%s is open to others (mode %04o): chmod 600 it", name, mode.Perm()))
	}
	text, err := readAll(file, name, mostSecret)
	if err != nil {
		return walletfi.Secret{}, &statusError{statusSecret, err}
	}
	text = bytes.TrimSuffix(text, []byte("\n"))
	return secretOf(name, bytes.TrimSuffix(text, []byte("\r")))
}

// secretOf refuses what no service issues and what comes of a mistake. No error
// shows any of it.
func secretOf(from string, text []byte) (walletfi.Secret, error) {
	var problem string
	switch {
	case len(text) == 0:
		problem = "is empty: anybody could sign with it"
	case !utf8.Valid(text):
		problem = "is not text"
	case bytes.ContainsAny(text, "\n\r\x00"):
		problem = "has more than one line"
	case !bytes.Equal(bytes.TrimSpace(text), text):
		problem = "begins or ends with a blank"
	default:
		return walletfi.NewSecret(string(text)), nil
	}
	return walletfi.Secret{}, as(statusSecret, fmt.Errorf("the secret in %s %s", from, problem))
}

// envOrFile is secretFromEnv where --secret-file can take its place.
func envOrFile(name string) (walletfi.Secret, error) { return secretFromEnv(name, "secret-file FILE") }
