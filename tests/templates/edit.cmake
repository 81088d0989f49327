# A contributor who starts from a template makes other features of it, and the test that came with it goes on to hold. Two such edits.
# Given: MASH (the program), OUT, CXX.
file(REMOVE_RECURSE ${OUT}/edited ${OUT}/divided)
unset(ENV{MASH_HEURISTICS})
set(ENV{CXX} ${CXX})

function(mash_heuristic)
  execute_process(COMMAND ${MASH} heuristic ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(edit source old new)
  file(READ ${source} text)
  string(FIND "${text}" "${old}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "${source} lacks: ${old}")
  endif()
  string(REPLACE "${old}" "${new}" text "${text}")
  file(WRITE ${source} "${text}")
endfunction()

mash_heuristic(new edited --dir ${OUT} --author Ada)
set(source ${OUT}/edited/edited.cpp)
# How much each column changes from top to bottom, in place of the mean of each row.
edit(${source} "return size.height" "return size.width")
edit(${source} "x = 0; x < view.width(); ++x) sum += view.gray()(x, features[i])"
     "y = 1; y < view.height(); ++y) sum += view.gray()(features[i], y) > view.gray()(features[i], y - 1)")
edit(${source} "float(view.width())" "float(view.height())")
mash_heuristic(build ${OUT}/edited --test)
# One feature more, which is worked out in prepare: how many pixels are bright.
edit(${source} "return size.width" "return size.width + 1")
edit(${source} "  // out[i] = " [[
  void prepare(const mash::View& view) override {
    num_bright_ = 0;
    for (std::uint32_t y = 0; y < view.height(); ++y)
      for (std::uint32_t x = 0; x < view.width(); ++x) num_bright_ += view.gray()(x, y) > 128;
  }

  // out[i] = ]])
edit(${source} "      std::uint32_t sum = 0;" [[
      if (features[i] == view.width()) {
        out[i] = num_bright_;
        continue;
      }
      std::uint32_t sum = 0;]])
edit(${source} "};

}  // namespace" [[

 private:
  float num_bright_ = 0;
};

}  // namespace]])
mash_heuristic(build ${OUT}/edited --test)

# A division by zero: the test names the feature and the picture, once for each picture.
mash_heuristic(new divided --dir ${OUT} --author Ada)
edit(${OUT}/divided/divided.cpp "float(view.width())" "float(view.width() - view.width())")
execute_process(COMMAND ${MASH} heuristic build ${OUT}/divided --test OUTPUT_VARIABLE told ERROR_VARIABLE told
                RESULT_VARIABLE code)
string(REGEX MATCHALL "feature 0 is -?nan [(]28 of 28 are not finite[)] on a picture of 28x28 pixels, grey values from 0 to 0"
       faults "${told}")
list(LENGTH faults num_faults)
if(code EQUAL 0 OR NOT num_faults EQUAL 1)
  message(FATAL_ERROR "the test of what divides by zero: ${code}, ${told}")
endif()
