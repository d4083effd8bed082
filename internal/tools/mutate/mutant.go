package main

import (
	"fmt"
	"go/scanner"
	"go/token"
	"strings"
)

// mutant is one change of the source. Its identity is (File, Func, Op, Text, Nth):
// it stays the same when lines move.
type mutant struct {
	ID   int    `json:"-"`
	Line int    `json:"-"`
	File string `json:"file"`
	Func string `json:"func"`
	Op   string `json:"op"`
	// Text is the changed code, on one line, Nth which one of several equal ones
	// in the function, from 0.
	Text string `json:"text"`
	Nth  int    `json:"nth,omitempty"`
}

// identity is a mutant's key in the list of equivalent mutants.
func (m mutant) identity() mutant {
	m.ID, m.Line = 0, 0
	return m
}

func (m mutant) String() string {
	nth := ""
	if m.Nth > 0 {
		nth = fmt.Sprintf(" #%d", m.Nth)
	}
	return fmt.Sprintf("%s:%d %s: %s%s: %s", m.File, m.Line, m.Func, m.Op, nth, m.Text)
}

// oneLine writes Go source on one line, without its comments.
func oneLine(text []byte) string {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, text, nil, 0)
	var b strings.Builder
	end := 0 // of the last token, to keep words as far apart as they were
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return strings.TrimSuffix(b.String(), ";")
		}
		if tok == token.SEMICOLON {
			b.WriteString(";")
			continue
		}
		if at := file.Offset(pos); at > end && b.Len() > 0 {
			b.WriteString(" ")
		}
		if lit == "" {
			lit = tok.String()
		}
		b.WriteString(lit)
		end = file.Offset(pos) + len(lit)
	}
}

// short cuts a text for people and for the list.
func short(text string) string {
	const most = 160
	if len(text) <= most {
		return text
	}
	return text[:most] + "..."
}
