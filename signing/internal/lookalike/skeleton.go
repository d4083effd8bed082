// Package lookalike finds texts that the eye does not tell apart: letters of other scripts
// that look like Latin ones, by Unicode's confusables; combining and invisible characters;
// and letters and digits of ASCII that are much alike.
package lookalike

import (
	_ "embed" // the table
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

//go:embed confusables.txt
var tableFile string

// table has the ASCII text that each character looks like.
var table = sync.OnceValue(func() map[rune]string {
	like := map[rune]string{}
	for line := range strings.Lines(tableFile) {
		text, characters, _ := strings.Cut(strings.TrimSpace(line), " ")
		if text == "#" {
			continue
		}
		for _, r := range characters {
			like[r] = text
		}
	}
	return like
})

// ascii joins what is much alike in some typeface.
var ascii = strings.NewReplacer(
	"0", "o", "1", "i", "l", "i", "|", "i", "5", "s", "8", "b", "2", "z", "$", "s", "vv", "w", "rn", "m",
)

// Skeleton is the same for two texts that can be taken for one another.
func Skeleton(text string) string {
	if strings.ContainsFunc(text, Foreign) {
		text = latin(text)
	}
	return strings.Map(letter, ascii.Replace(strings.ToLower(text)))
}

// letter leaves out ASCII that is neither letter nor digit: a reader looks past it.
func letter(r rune) rune {
	if r < utf8.RuneSelf && (r < 'a' || r > 'z') && (r < '0' || r > '9') {
		return -1
	}
	return r
}

// latin replaces what looks like Latin letters by those, and leaves out what adds nothing to
// see.
func latin(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case Blank(r):
		case r < utf8.RuneSelf:
			b.WriteRune(r)
		default:
			if like, ok := table()[r]; ok {
				b.WriteString(like)
			} else {
				b.WriteRune(r)
			}
		}
	}
	return b.String()
}

// Foreign reports whether a character is none that ASCII prints, or a space.
func Foreign(r rune) bool { return r <= ' ' || r > '~' }

// Blank reports whether a character is a space, a filler, invisible, or a mark on another.
func Blank(r rune) bool {
	return unicode.IsSpace(r) || !unicode.IsGraphic(r) || r == unicode.ReplacementChar || r == '\u2800' ||
		unicode.In(r, unicode.M, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
