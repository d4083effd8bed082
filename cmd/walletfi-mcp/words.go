package main

import (
	_ "embed"
	"encoding/json"
	"reflect"
	"strings"
)

// wordsText is written by go test -run TestWords -update, from the doc comments of the clients
// and from what they refuse.
//
//go:embed words.json
var wordsText []byte

// words say what the types cannot.
var words = func() (w struct {
	Methods map[string]methodWords `json:"methods"` // by "lending.GetRates"
	Fields  map[string]fieldWords  `json:"fields"`  // by "lending.RatesRequest.Period"
	Values  map[string][]string    `json:"values"`  // of the elements of lists, by type: "onchaindata.PoolInclude"
}) {
	if len(wordsText) == 0 {
		return w // it is being written
	}
	if err := json.Unmarshal(wordsText, &w); err != nil {
		panic("words.json: " + err.Error()) // a test reads it
	}
	return w
}()

type methodWords struct {
	Text       string   `json:"text"`
	Parameters []string `json:"parameters,omitempty"` // those that are no struct and no option
}

type fieldWords struct {
	Text   string   `json:"text,omitempty"`
	Name   string   `json:"name,omitempty"`   // by which the client refuses it
	Values []string `json:"values,omitempty"` // of a closed set
}

// typeName is "lending.RatesRequest".
func typeName(t reflect.Type) string {
	return t.PkgPath()[strings.LastIndex(t.PkgPath(), "/")+1:] + "." + t.Name()
}

func lowerFirst(s string) string {
	n := 0
	for n < len(s) && s[n] >= 'A' && s[n] <= 'Z' {
		n++
	}
	if n > 1 && n < len(s) {
		n-- // the last capital begins a word
	}
	return strings.ToLower(s[:n]) + s[n:]
}

// tagName is the field's name in one of its tags, empty if none names it.
func tagName(f reflect.StructField, tags ...string) string {
	for _, tag := range tags {
		if name, _, _ := strings.Cut(f.Tag.Get(tag), ","); name != "" && name != "-" {
			return name
		}
	}
	return ""
}
