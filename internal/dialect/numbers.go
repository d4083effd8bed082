package dialect

import (
	"errors"
	"fmt"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/jsontext"
)

// form is that of a number.
type form struct {
	name string // neutral
	deployment.Number
}

func compileNumber(name string, n deployment.Number) *form {
	if n.Prefix+n.Suffix != "" {
		n.Live = deployment.JSONString
	}
	return &form{name, n}
}

var errRounded = errors.New("the number has more digits than its form in the deployment allows")

// translate returns the JSON number or string in its other form, nil if it stays as
// it is. If it would have to be rounded, or misread, that is an error.
func (f *form) translate(token []byte, inward bool) ([]byte, error) {
	isText := token[0] == '"'
	if !isText && token[0] != '-' && token[0]-'0' > 9 {
		return nil, nil // null, true, false
	}
	text := string(token)
	if isText {
		text = string(jsontext.Unquote(token))
	}
	moved, ok, err := f.move(text, isText, inward)
	if err != nil || !ok {
		return nil, err
	}
	as := f.Live
	if inward {
		as = f.Neutral
	}
	if as == deployment.JSONString || as == "" && isText {
		return quote(moved), nil
	}
	return []byte(moved), nil
}

// move returns the number in text in its other form, and false if it stays as it is.
func (f *form) move(text string, isText, inward bool) (string, bool, error) {
	if inward {
		return f.inward(text, isText)
	}
	n, ok := readNumber(text)
	switch {
	case !ok:
		return "", false, nil
	case f.Scale > 0 && !n.isInteger():
		return "", false, f.rounded(false)
	}
	return f.Prefix + n.shifted(text, -f.Scale) + f.Suffix, true, nil
}

func (f *form) inward(text string, isText bool) (string, bool, error) {
	digits, found := text, true
	if isText || f.Prefix+f.Suffix != "" {
		if digits, found = strings.CutPrefix(text, f.Prefix); found {
			digits, found = strings.CutSuffix(digits, f.Suffix)
		}
	}
	if !found {
		// Without what is around it nothing says that it has the live scale.
		if _, number := readNumber(text); number && f.Scale != 0 {
			return "", false, fmt.Errorf("%s: %w", f.name, errBare)
		}
		return "", false, nil
	}
	n, ok := readNumber(digits)
	switch {
	case !ok:
		return "", false, nil
	case f.Scale > 0 && !n.plus(f.Scale).isInteger():
		return "", false, f.rounded(true)
	}
	return n.shifted(digits, f.Scale), true, nil
}

var errBare = errors.New("the number lacks the prefix or suffix of its form in the deployment")

func (f *form) rounded(inward bool) error {
	if inward {
		return fmt.Errorf("%s: %w", f.name, errRounded)
	}
	return &walletfi.ValidationError{Field: f.name, Problem: "cannot be written in the deployment's form without rounding"}
}
