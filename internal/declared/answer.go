// Package declared tells whether an answer says what a call declared that it must
// say, from the names of its members alone.
package declared

import (
	"fmt"
	"slices"
	"strings"
)

// Answer declares what the body of a success must say before the caller may act
// on it. A body that does not say it is no answer. The zero value
// declares nothing, and a call without a declaration is refused.
type Answer struct {
	Form    Form
	Members []string // of Says: each a list of places with | between them
	Why     string   // of Open, Silent and Text
	Judged  bool     // see ByDecoder

	sign   string   // see Beside
	beside []string // see Beside
}

// Form is the kind of a declaration.
type Form uint8

// The forms, which the functions below make.
const (
	_            Form = iota
	FormSays          // JSON with certain members
	FormDocument      // any JSON but an error
	FormSilent        // any JSON but an error, nothing, or a word such as OK
	FormText          // any text but an error or a page of HTML
)

// Says declares an object with members that are present, not null, and of the
// right JSON type. A place is written "name", or "outer.inner" within an object,
// and has a type after a colon:
//
//	text    a string that is not empty; the type of a place that names none
//	id      a text, or a number
//	number  a number, bare or in quotes; 0 is one
//	bool    true, false, or one of them in quotes, or 1 or 0
//	list    an array, which may be empty
//	items   a list, or null, which a list without an item can be
//	object  an object
//	null    null, which otherwise is as good as a member that is missing
//
// Of "a:list|b:number" one place is enough. "*name" stands for a place that is
// not documented: the result's own decoder looks for it, and fails if it finds
// none. The name is for errors.
func Says(members ...string) Answer { return Answer{Form: FormSays, Members: members} }

// Lists declares an array under a member, in the body itself if the member is
// "", or wherever the result's decoder finds it if it is "*name". It may be empty.
func Lists(member string) Answer { return Says(member + ":list") }

// Items is [Lists] of a member that may be null, which says that the list is empty. It is for
// lists from which no caller concludes that something was not created.
func Items(member string) Answer { return Says(member + ":items") }

// Open declares that the documentation shows no shape: any JSON is an answer
// but an error envelope.
func Open(why string) Answer { return Answer{Form: FormDocument, Why: why} }

// ByDecoder declares that the result's decoder tells which JSON is an answer of no documented shape:
// one that says nothing is none, and nor is one whose transaction cannot be read.
func (a Answer) ByDecoder() Answer {
	a.Judged = true
	return a
}

// Why a call is Open.
const (
	NoShape = "the documentation shows no shape"
	NoNames = "the documentation says what it holds, and names no field"
)

// Silent declares that the documentation promises no answer that the caller
// acts on: an empty body is a success too, and so is a text that [Affirms].
func Silent(why string) Answer { return Answer{Form: FormSilent, Why: why} }

// Text declares an answer that need not be JSON.
func Text(why string) Answer { return Answer{Form: FormText, Why: why} }

// Beside declares that a member error or errors is a part of the result if one of the
// given members is there too: a record has an error of its own, or a list
// says what it lacks.
func (a Answer) Beside(sign string, members ...string) Answer {
	a.sign, a.beside = sign, members
	return a
}

// String writes the declaration for a table.
func (a Answer) String() string {
	switch a.Form {
	case FormSays:
		return "says " + strings.Join(a.Members, ", ")
	case FormDocument:
		return "open: " + a.Why
	case FormSilent:
		return "silent: " + a.Why
	case FormText:
		return "text: " + a.Why
	}
	return "undeclared"
}

// Place is where in an object a member is, and of which JSON type.
type Place struct {
	Path string
	Kind string
}

// Places takes a member of Says apart.
func Places(member string) []Place {
	var places []Place
	for one := range strings.SplitSeq(member, "|") {
		places = append(places, placeOf(one))
	}
	return places
}

func placeOf(text string) Place {
	path, kind, typed := strings.Cut(text, ":")
	if !typed {
		kind = "text"
	}
	return Place{path, kind}
}

// Problem says what is wrong with the declaration itself.
func (a Answer) Problem() error {
	switch {
	case a.Form == 0:
		return fmt.Errorf("does not declare its answer")
	case a.Form == FormSays && len(a.Members) == 0:
		return fmt.Errorf("says nothing")
	case a.Form != FormSays && a.Why == "":
		return fmt.Errorf("gives no reason for its declaration")
	}
	for _, member := range a.Members {
		for _, place := range Places(member) {
			if !slices.Contains(kinds, place.Kind) {
				return fmt.Errorf("declares %q of no known type", member)
			}
			if place.Path == "*" {
				return fmt.Errorf("declares %q, which is no name for errors", member)
			}
		}
	}
	return nil
}

var kinds = []string{"text", "id", "number", "bool", "list", "items", "object", "null"}

// Named reports whether the declaration names a member, rather than a place that
// only the decoder of the result finds.
func (a *Answer) Named() bool {
	return len(a.Members) > 0 && !strings.HasPrefix(a.Members[0], "*")
}

// First is the path of the first member that is declared, empty if that is the
// body itself. If only the decoder knows the place, it is the member's name.
func (a *Answer) First() string {
	if len(a.Members) == 0 {
		return ""
	}
	path, _, _ := strings.Cut(a.Members[0], ":")
	return strings.TrimPrefix(path, "*")
}
