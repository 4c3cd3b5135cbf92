# Labels that tie tests to the modules of src/modules.txt.
#
# tests_modules(SUITE MODULE...) says which modules the tests named SUITE or SUITE.* are about. At
# the end of the folder each of these tests gets the label module.MODULE, and the target
# module.MODULE builds each of their programs:
#   cmake --build --preset test --target module.dma
#   ctest --preset test -L '^module.dma$'
# "tools/test --module dma" does both, and amalgamates the headers first.

function(tests_modules suite)
  if(ARGN)
    get_property(suites DIRECTORY PROPERTY doca_suites_with_modules)
    if(NOT suites)
      cmake_language(DEFER CALL label_modules)
    endif()
    set_property(DIRECTORY APPEND PROPERTY doca_suites_with_modules ${suite})
    set_property(DIRECTORY PROPERTY doca_modules_of_${suite} ${ARGN})
  endif()
endfunction()

# get_modules(VARIABLE NAME): the modules of a test or target of this folder
function(get_modules variable name)
  set(all)
  string(REPLACE "." ";" words ${name})
  set(suite)
  foreach(word ${words})
    string(APPEND suite ${word})
    get_property(modules DIRECTORY PROPERTY doca_modules_of_${suite})
    list(APPEND all ${modules})
    string(APPEND suite .)
  endforeach()
  list(REMOVE_DUPLICATES all)
  set(${variable} "${all}" PARENT_SCOPE)
endfunction()

function(label_modules)
  get_property(tests DIRECTORY PROPERTY TESTS)
  foreach(test ${tests})
    get_modules(modules ${test})
    foreach(module ${modules})
      set_property(TEST ${test} APPEND PROPERTY LABELS module.${module})
    endforeach()
  endforeach()
  get_property(targets DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target ${targets})
    get_modules(modules ${target})
    get_target_property(type ${target} TYPE)
    get_target_property(is_left_out ${target} EXCLUDE_FROM_ALL)
    foreach(module ${modules})
      if(NOT TARGET module.${module})
        add_custom_target(module.${module})
      endif()
      if(type STREQUAL "EXECUTABLE" AND NOT is_left_out)
        add_dependencies(module.${module} ${target})
      endif()
    endforeach()
  endforeach()
endfunction()
