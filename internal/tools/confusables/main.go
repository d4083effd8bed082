// Command confusables writes the letters that look like ASCII ones, for the guard's report:
//
//	go run -C internal/tools ./confusables > signing/internal/lookalike/confusables.txt
//
// The source is Unicode's confusables.txt as github.com/mtibben/confusables has it, at the
// version that go.mod pins, and the decompositions of golang.org/x/text.
package main

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mtibben/confusables"
	"golang.org/x/text/unicode/norm"
)

func main() {
	out := bufio.NewWriter(os.Stdout)
	write(out)
	if err := out.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, "confusables:", err)
		os.Exit(1)
	}
}

// write writes a line for each ASCII text: the text, a space, and what looks like it.
func write(out io.Writer) {
	like := map[string][]rune{}
	for r := rune(utf8.RuneSelf); r <= unicode.MaxRune; r++ {
		if !unicode.IsGraphic(r) || unicode.IsSpace(r) || unicode.Is(unicode.M, r) {
			continue
		}
		if text := plain(r); text != "" {
			like[text] = append(like[text], r)
		}
	}
	fmt.Fprintln(out, "# Derived from Unicode's confusables.txt, version 13.0.0, © 2020 Unicode®, Inc.,")
	fmt.Fprintln(out, "# https://www.unicode.org/terms_of_use.html, by internal/tools/confusables.")
	for _, text := range slices.Sorted(maps.Keys(like)) {
		fmt.Fprintf(out, "%s %s\n", text, string(like[text]))
	}
}

// plain is the letters and digits of ASCII that a character looks like, "" if it looks like
// none: by Unicode's table, or by that of its decomposition, accents left out.
func plain(r rune) string {
	for _, text := range []string{string(r), norm.NFKD.String(string(r))} {
		text = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.M, r) {
				return -1
			}
			return r
		}, confusables.Skeleton(text))
		if text != "" && !strings.ContainsFunc(text, other) {
			return text
		}
	}
	return ""
}

// other reports whether a character is neither a letter nor a digit of ASCII, nor a dollar.
func other(r rune) bool {
	return r >= utf8.RuneSelf || r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}
