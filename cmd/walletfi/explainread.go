package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// mostText bounds a file: a set of 16 transactions of the largest format, with its
// intent, is a tenth of it.
const mostText = 1 << 20

var encodings = []string{"auto", "base64", "base58"}

// read returns the transactions of the arguments and the files, and whether an
// intent came with them.
func (e *explain) read(args []string) (set walletfi.Unsigned, stated bool, err error) {
	if err := oneOf("encoding", e.encoding, encodings...); err != nil {
		return set, false, err
	}
	sources := e.sources(args)
	names := []string{e.intentFile, e.policyFile}
	for _, from := range sources {
		names = append(names, from.file)
	}
	if err := onceStdin(names...); err != nil {
		return set, false, err
	}
	var lines []string
	for _, from := range sources {
		if from.file == "" {
			lines = append(lines, from.text)
			continue
		}
		b, err := e.readFile(from.file, mostText)
		if err != nil {
			return set, false, err
		}
		if b = bytes.TrimSpace(b); len(b) > 0 && b[0] == '{' {
			if len(sources) > 1 {
				return set, false, usage("%s has an intent of its own: pass it alone", from.file)
			}
			if err := strictJSON(from.file, b, &set); err != nil {
				return set, false, err
			}
			return set, true, nil
		}
		lines = append(lines, strings.Fields(string(b))...)
	}
	if len(lines) == 0 {
		return set, false, as(statusMalformed, errors.New("there is no transaction in the input"))
	}
	for i, text := range lines {
		encoded, err := e.encoded(strings.TrimSpace(text))
		if err != nil {
			if len(lines) > 1 {
				err = fmt.Errorf("transaction %d: %w", i+1, err)
			}
			return set, false, &statusError{statusMalformed, err}
		}
		set.Transactions = append(set.Transactions, encoded)
	}
	return set, false, nil
}

// source is a transaction or the file that has some.
type source struct{ text, file string }

// sources are those of the arguments, then of --file. An argument that is a transaction is no
// file, whatever files there are.
func (e *explain) sources(args []string) (all []source) {
	for _, arg := range args {
		_, problem := e.encoded(strings.TrimSpace(arg))
		_, missing := os.Stat(arg)
		if problem != nil && (arg == "-" || missing == nil || strings.Contains(arg, ".")) { // no encoding has a dot
			all = append(all, source{file: arg})
		} else {
			all = append(all, source{text: arg})
		}
	}
	for _, name := range e.files {
		all = append(all, source{file: name})
	}
	if len(all) == 0 {
		all = []source{{file: "-"}}
	}
	return all
}

// encoded finds out which encoding a text is in: the one in which it is a
// transaction. Both at once is as good as impossible, but would be two transactions.
func (e *explain) encoded(text string) (walletfi.EncodedTransaction, error) {
	as64, as58 := walletfi.Base64Transaction(text), walletfi.Base58Transaction(text)
	switch e.encoding {
	case "base64":
		return as64, decodes(as64)
	case "base58":
		return as58, decodes(as58)
	}
	err64, err58 := decodes(as64), decodes(as58)
	switch {
	case err64 == nil && err58 == nil:
		return nil, errors.New("it is a transaction in base64 and another one in base58: state --encoding")
	case err64 == nil:
		return as64, nil
	case err58 == nil:
		return as58, nil
	case strings.ContainsAny(text, "+/=0OIl"):
		return nil, err64 // base58 has none of these
	case len(text)%4 != 0:
		return nil, err58 // base64 has a multiple of 4
	}
	return nil, fmt.Errorf("neither as base64 (%w) nor as base58 (%w)", err64, err58)
}

// decodes says why a text is no transaction. The guard has judged nothing yet.
func decodes(tx walletfi.EncodedTransaction) error {
	_, err := signing.Decode(tx)
	return unreadable(err)
}

func unreadable(err error) error {
	var parser *signing.GuardError
	if errors.As(err, &parser) {
		return fmt.Errorf("it is no transaction: found %s; allowed is %s (rule %s)",
			parser.Found, parser.Allowed, parser.Rule)
	}
	return err
}

// strictJSON decodes one JSON value and refuses members that v does not have: a
// misspelt cap would be no cap.
func strictJSON(name string, b []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	err := d.Decode(v)
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			err = errors.New("there is something after the value")
		}
	}
	if err != nil {
		if name == "-" {
			name = "standard input"
		}
		return as(statusMalformed, fmt.Errorf("%s: %w", name, err))
	}
	return nil
}
