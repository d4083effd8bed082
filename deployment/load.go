package deployment

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// Error is a mistake in a deployment. Load returns all that it finds, joined.
type Error struct {
	File    string // empty for a Deployment that was not read from a file
	Line    int    // from 1; 0 if File is empty
	Path    string // such as "services.swap.keys.inAmount"
	Problem string
}

// Error returns file and line, the path and the problem.
func (e *Error) Error() string {
	where := e.Path
	if e.File != "" {
		where = strings.TrimSuffix(fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Path), " ")
		where = strings.TrimSuffix(where, ":")
	}
	return where + ": " + e.Problem
}

// Load reads a deployment's file and checks it. The error has an [*Error] for each
// mistake.
func Load(file string) (*Deployment, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return Parse(filepath.Base(file), text)
}

// Parse is Load for a file that was read; name is for errors.
func Parse(name string, text []byte) (*Deployment, error) {
	f := &file{name: name, lines: map[string]int{}}
	text = bytes.TrimPrefix(text, []byte("\uFEFF")) // which some editors write
	if !utf8.Valid(text) {
		return nil, &Error{File: name, Line: 1, Problem: "is not UTF-8"}
	}
	f.text = plain(text)
	if err := f.read(); err != nil {
		return nil, err
	}
	d := new(Deployment)
	if err := json.Unmarshal(f.text, d); err != nil {
		return nil, &Error{File: name, Line: 1, Problem: err.Error()}
	}
	return d, d.check(f)
}

// plain blanks comments and the comma after a last member, so that what is left is
// JSON with every byte in its place.
func plain(text []byte) []byte {
	out := bytes.Clone(text)
	comma := -1 // the last comma, if nothing but space came after it
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case c == '"':
			comma = -1
			i = stringEnd(out, i)
		case c == '/' && i+1 < len(out) && out[i+1] == '/':
			for ; i < len(out) && out[i] != '\n'; i++ {
				out[i] = ' '
			}
		case c == ',':
			comma = i
		case c == '}' || c == ']':
			if comma >= 0 {
				out[comma] = ' '
			}
			comma = -1
		case c != ' ' && c != '\t' && c != '\r' && c != '\n':
			comma = -1
		}
	}
	return out
}

// stringEnd returns the index of the quote that ends the string at i.
func stringEnd(b []byte, i int) int {
	for i++; i < len(b) && b[i] != '"' && b[i] != '\n'; i++ {
		if b[i] == '\\' {
			i++
		}
	}
	return i
}
